import type { Convert, Destination } from './conversion';
import type { CompiledStruct } from './structs';
import { structConvert } from './structs';

/** A destination struct: converted like any other, and noted down so that two writers of one key are found. */
export function destinationConvert(store: Destination['store'], struct: () => CompiledStruct): Convert {
  const convert = structConvert(struct);
  return (value, run) => {
    const converted = convert(value, run) as Partial<Record<'name' | 'key', string>> & Partial<Record<'annotations' | 'labels', object>> | undefined;
    if (converted && typeof converted.name === 'string') {
      run.destinations.push({
        store,
        path: run.where,
        name: converted.name,
        key: converted.key ?? undefined,
        annotations: Object.keys(converted.annotations ?? {}),
        labels: Object.keys(converted.labels ?? {}),
      });
    }
    return converted;
  };
}
