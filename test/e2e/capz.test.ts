import { describeCapz } from './capz/describe-capz';
import { startEmbedded } from './capz/environment';

describeCapz('on the embedded Kubernetes API', (existingGroups) => startEmbedded(existingGroups, { isAlone: true }), ['demo', 'shared']);
