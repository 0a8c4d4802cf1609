import { Conversion, Convert, formatValue, isOfCluster } from './conversion';
import type { Scalar, Validations } from '../../catalog/facts';
import { scalarFault, SCALARS } from '../../catalog/scalar-fault';

/** The conversion of a scalar: the value itself, validated like in the CRD. */
export function scalarConvert(type: Scalar, rules: Validations): Convert {
  const [expected, fits] = SCALARS[type];
  if (type === 'json') return (value) => value;
  return (value, run) => {
    if (!fits(value)) {
      const isLate = typeof value === 'object' && value !== null && isOfCluster(value);
      if (!isLate) return refuse(run, `is ${formatValue(value)}, but has to be ${expected}.`);
      return refuse(run, `is ${'secretName' in value ? 'a secret' : 'an output of a resource'}, but has to be ${expected}. Its value is known in the cluster only: give it to a property that reads a ${'secretName' in value ? 'Secret' : 'ConfigMap (…FromConfig)'}, or to a container.`);
    }
    const fault = scalarFault(value, rules);
    if (fault === undefined) return value;
    return refuse(run, `${formatValue(value)} ${fault.message}${fault.fix === undefined ? '' : `; ${fault.fix}`}.`);
  };
}

function refuse(run: Conversion, problem: string): undefined {
  run.problem(problem);
  return undefined;
}
