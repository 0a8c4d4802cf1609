import { describeCapz } from './capz/describe-capz';
import { startEmbedded } from './capz/environment';

describeCapz('on the embedded Kubernetes API', startEmbedded, ['own', 'classic', 'moved', 'remade', 'adopted']);
