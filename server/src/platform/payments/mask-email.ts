/** The first letter and the domain: enough for its owner to recognise it. */
export const maskEmail = (email: string): string => email.replace(/^(.).*(?=@)/su, '$1***');
