import { describeCapz } from './capz/describe-capz';
import { startOnReal } from './capz/real-environment';
import { scenarioNames } from './capz/scenarios';
import { realKubernetes } from './real-kubernetes';

// The garbage collector removes what owners leave behind.
if (realKubernetes?.controllerManager) describeCapz('on a real kube-apiserver', startOnReal, scenarioNames);
else describe.skip('CAPZ on a real kube-apiserver', () => test('needs kube-controller-manager', () => undefined));
