import { Conversion, Convert, formatValue } from './conversion';
import type { Scalar, Validations } from '../../catalog/facts';
import { scalarFault, SCALARS } from '../../catalog/scalar-fault';

/** The conversion of a scalar: the value itself, validated like in the CRD. */
export function scalarConvert(type: Scalar, rules: Validations): Convert {
  const [expected, fits] = SCALARS[type];
  if (type === 'json') return (value) => value;
  return (value, run) => {
    if (!fits(value)) return refuse(run, `is ${formatValue(value)}, but has to be ${expected}.`);
    const fault = scalarFault(value, rules);
    if (fault === undefined) return value;
    return refuse(run, `${formatValue(value)} ${fault.message}${fault.fix === undefined ? '' : `; ${fault.fix}`}.`);
  };
}

function refuse(run: Conversion, problem: string): undefined {
  run.problem(problem);
  return undefined;
}
