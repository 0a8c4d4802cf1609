import { App } from 'cdk8s';
import { dev1 } from './environment';
import { onboard } from './onboarding';

const app = new App();
onboard(app, dev1);
app.synth();
