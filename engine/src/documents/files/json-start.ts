/** Whether a text begins as JSON that holds something: an object, or a list of lists, objects and words. */
export const beginsAsJson = (lead: string): boolean => /^(?:\{\s*["}]|\[\s*[[{"\]])/.test(lead);
