const QUANTITY = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|k|M|G)?$/;
const UNITS: Readonly<Record<string, number>> = { Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, k: 1e3, M: 1e6, G: 1e9 };
const CPU = /^(\d+(?:\.\d+)?)(m)?$/;

/** The bytes of a quantity of memory, e.g. `512Mi`; undefined for any other text. */
export function memoryBytes(text: string): number | undefined {
  const [, number, unit] = QUANTITY.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (unit === undefined ? 1 : UNITS[unit]!);
}

/** The cores of a quantity of CPU, e.g. `500m`; undefined for any other text. */
export function cpuCores(text: string): number | undefined {
  const [, number, milli] = CPU.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) / (milli ? 1000 : 1);
}
