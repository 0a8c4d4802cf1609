import { ruleIds } from './run-rules';
import { documentation } from '../../documentation';
import { suggestion } from '../../util/nearest';

export { credentialKnowledgeIn } from '../credentials/scopes/knowledge-in';
export { titleOf as spellObject } from './set-object';
export type { RuleManifest } from './set-object';
export { ruleIds, runRules } from './run-rules';
export { withSuppression } from './suppression';

/** The problem of a suppression; undefined if it is valid. */
export function checkedSuppression(id: string, reason: string): string | undefined {
  if (!ruleIds().includes(id) || id === 'ignore-rules') {
    return `there is no rule '${id}'.${suggestion(id, ruleIds())} The rules: ${documentation('docs/checks.md#the-rules')}`;
  }
  if (typeof reason !== 'string' || reason.trim() === '') {
    return `the rule '${id}' is suppressed without a reason. Say why it does not concern this object.`;
  }
  return /[;\n]/.test(reason) ? "the reason contains ';' or a line break. Write it in one line, without ';'." : undefined;
}
