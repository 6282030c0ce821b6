import { sayInGerman, type GermanForms } from "./german-forms.ts";

const numbers = new Intl.NumberFormat("de");

/** Writes a number of the service as Germans do. */
export const germanNumber = (digits: string | undefined): string => numbers.format(Number(digits));

/** Sentences of conditions, as the service words them, and what they are in German. */
const FAULTS: GermanForms[number][] = [];

/** Adds the faults that only some pages have, so that the others do not load them. */
export const addGermanFaults = (forms: GermanForms): void => void FAULTS.push(...forms);

/** Returns a fault of a field in German; one that is not known stays in the service's words. */
export const germanFault = (fault: string): string => sayInGerman(FAULTS, fault) ?? fault;
