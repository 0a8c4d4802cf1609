import { App } from 'cdk8s';
import { webShop } from './shop';

const app = new App();
webShop(app);
app.synth();
