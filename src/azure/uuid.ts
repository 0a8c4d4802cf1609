/** A UUID in Azure's format: 32 hexadecimal digits, lower or upper case, in five groups separated by dashes. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
