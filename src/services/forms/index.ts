export { changeForm, createForm, deleteForm, getForm, listForms } from "./manage-forms.ts";
export { selectArchiveForm, type FormRow } from "./form-queries.ts";
export { joinByForm, openForm, type FormAnswer, type OpenForm } from "./join-by-form.ts";
