import { Convert, formatValue } from './conversion';
import type { Validations } from '../../catalog/facts';
import { isRecord } from '../../util/records';

/** The conversion of a list. */
export function arrayConvert(element: Convert, { minItems, maxItems }: Validations): Convert {
  return (value, run) => {
    if (!Array.isArray(value)) {
      run.problem(`is ${formatValue(value)}, but has to be a list.`);
      return undefined;
    }
    if (minItems !== undefined && value.length < minItems) run.problem(`has ${value.length} elements; at least ${minItems} are needed.`);
    if (maxItems !== undefined && value.length > maxItems) run.problem(`has ${value.length} elements; at most ${maxItems} are allowed.`);
    return value.map((item: unknown, index) => {
      const settled = run.settle(item);
      run.enter(index);
      let converted: unknown;
      if (settled === undefined || settled === null) run.problem('is empty. Leave the element out.');
      else converted = element(settled, run);
      run.leave();
      return converted;
    });
  };
}

/** The conversion of a map with string keys. */
export function mapConvert(element: Convert): Convert {
  return (value, run) => {
    if (!isRecord(value)) {
      run.problem(`is ${formatValue(value)}, but has to be a map.`);
      return undefined;
    }
    const map: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      const settled = run.settle(item);
      if (settled === undefined || settled === null) continue;
      run.enter(key);
      map[key] = element(settled, run);
      run.leave();
    }
    return map;
  };
}
