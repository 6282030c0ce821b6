export { FIELD_USES } from "./field-uses.ts";
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
