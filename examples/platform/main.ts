import { orchard } from './platform';

orchard().synth();
