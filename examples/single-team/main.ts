import { ledger } from './ledger';

ledger().synth();
