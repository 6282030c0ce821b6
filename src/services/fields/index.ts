export {
  changeField,
  createFields,
  deleteField,
  getField,
  listFields,
  MOST_FIELDS,
  type FieldInput,
  type FieldRow,
} from "./manage-fields.ts";
