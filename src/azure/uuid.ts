/** A UUID as Azure writes it: 32 hexadecimal digits, small or capital, in five groups with dashes between them. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
