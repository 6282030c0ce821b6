export { changeForm, createForm, deleteForm, getForm, listForms } from "./manage-forms.ts";
export {
  offeredReads,
  PLAIN_LOOK,
  selectArchiveForm,
  wholeContent,
  type FormRow,
} from "./form-queries.ts";
export { openForm, unsavedForm, type OpenForm } from "./open-form.ts";
export { joinByForm, type FormAnswer } from "./join-by-form.ts";
