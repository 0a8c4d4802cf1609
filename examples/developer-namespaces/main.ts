import { workshop } from './workshop';

workshop().synth();
