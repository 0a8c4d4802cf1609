import { onboarded } from './platform';

onboarded().synth();
