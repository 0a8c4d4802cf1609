import { App } from 'cdk8s';
import { foundation } from './foundation';

const app = new App();
foundation(app);
app.synth();
