// Rules of ESLint itself as a plugin, for oxlint, which has none such of its own.
import { builtinRules } from 'eslint/use-at-your-own-risk';

const rules = ['dot-notation', 'no-restricted-syntax'];

export default { meta: { name: 'eslint-core' }, rules: Object.fromEntries(rules.map((name) => [name, builtinRules.get(name)])) };
