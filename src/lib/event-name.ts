/** Returns true for the name of an event, such as `purchased` or `stripe.invoice.paid`. */
export const isEventName = (text: string): boolean => /^[\w.:-]{1,64}$/.test(text);
