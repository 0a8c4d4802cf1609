import { describeCases } from './azure-rule-cases';

// azure-rules.test.ts has the first case of each family of rules.
describeCases('rest');
