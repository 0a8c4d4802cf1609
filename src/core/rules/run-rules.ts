import { allRules, rulesFor } from './all-rules';
import { ObjectSet, ObjectSetOptions } from './object-set';
import { annotationPath, FoundAt, Rule, Severity } from './rule';
import { isAzure, RuleManifest, SetObject } from './set-object';
import { suppressionsOf } from './suppression';
import { IGNORE_RULES } from '../../azure/annotations';
import { correctionAt, writtenPath } from '../../catalog/corrected-spec';
import { FieldPath, parsePath, spellPath } from '../../catalog/validate-spec';
import { documentation } from '../../documentation';
import { elementAt } from '../../util/elements';
import { suggestion } from '../../util/nearest';

/** A finding with all texts that the reports show. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly object: SetObject;
  /** The field as text, e.g. `spec.owner.name`. */
  readonly field?: string | undefined;
  readonly path: FieldPath;
  readonly message: string;
  readonly why: string;
  readonly fix: string;
}

/** A finding that its object suppresses, with the reason. */
export interface Suppressed extends Finding {
  readonly reason: string;
}

export interface RuleReport {
  /** In the order of the objects. */
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppressed[];
}

const SUPPRESSIONS: Omit<Rule, 'find' | 'asked'> = {
  id: 'ignore-rules',
  severity: 'warning',
  title: 'The annotation suppresses a rule without a reason, a rule that does not exist, or one that has nothing to say here any more.',
  why: `${IGNORE_RULES} suppresses a rule only with its id and a reason, so that whoever reads it knows what was decided`,
};

/** The ids of all rules, including the rule about suppressions, which is part of this file. */
export function ruleIds(): string[] {
  return [...allRules().map(({ id }) => id), SUPPRESSIONS.id];
}

export interface RunOptions extends ObjectSetOptions {
  /** Further rules that know more than the catalog. */
  readonly more?: readonly Rule[];
}

/** Runs all rules over manifests. Never throws because of a manifest's content. */
export function runRules(manifests: readonly RuleManifest[], options: RunOptions = {}): RuleReport {
  const set = ObjectSet.ofManifests(manifests, options);
  const more = options.more ?? [];
  const ignored = set.objects.map(({ annotations }) => suppressionsOf(annotations[IGNORE_RULES]));
  const used = new Set<string>();
  const findings: Finding[] = [];
  const suppressed: Suppressed[] = [];
  for (const rule of [...rulesFor(set), ...more]) {
    for (const found of rule.find(set)) {
      if (isInGuess(found)) continue;
      const finding = findingOf(rule, found);
      const reason = elementAt(ignored, found.object.index).reasons.get(rule.id);
      if (reason === undefined) {
        findings.push(finding);
      } else {
        used.add(`${found.object.index} ${rule.id}`);
        suppressed.push({ ...finding, reason });
      }
    }
  }
  let ids: string[] | undefined;
  for (const object of set.objects) {
    const { reasons, malformed } = elementAt(ignored, object.index);
    if (reasons.size === 0 && malformed.length === 0) continue;
    ids ??= [...ruleIds(), ...more.map(({ id }) => id)];
    const say = (message: string, fix: string, severity?: Severity) =>
      findings.push(findingOf(SUPPRESSIONS, { object, field: annotationPath(IGNORE_RULES), message, fix, severity }));
    for (const id of malformed) {
      say(id === '' ? 'suppresses nothing' : `gives no reason for '${id}'`, "write 'rule-id: reason', several separated by ';'");
    }
    for (const id of reasons.keys()) {
      if (!ids.includes(id)) {
        say(
          `there is no rule '${id}'`,
          suggestion(id, ids).trim() || `write the id of a rule: ${documentation('docs/checks.md#the-rules')}`,
        );
      } else if (id === SUPPRESSIONS.id) {
        say('cannot be suppressed itself', 'remove it');
      } else if (!used.has(`${object.index} ${id}`)) {
        say(`the rule '${id}' has nothing to say here any more`, 'remove it', 'info');
      }
    }
  }
  const inOrder = <T extends Finding>(list: T[]) => list.sort((a, b) => a.object.index - b.object.index);
  return { findings: inOrder(findings), suppressed: inOrder(suppressed) };
}

/** Whether a finding is about the value of a field that may be another one than was meant. */
function isInGuess({ object: { corrected }, field }: FoundAt): boolean {
  if (!corrected || field === undefined) return false;
  return correctionAt(typeof field === 'string' ? parsePath(field) : field, corrected)?.isGuess === true;
}

function findingOf(rule: Omit<Rule, 'find' | 'asked'>, { object, field, message, fix, severity }: FoundAt): Finding {
  const found = field === undefined ? [] : typeof field === 'string' ? parsePath(field) : field;
  const path = object.corrected ? writtenPath(found, object.corrected) : found;
  return {
    rule: rule.id,
    severity: severity ?? rule.severity,
    object: isAzure(object) ? object.written ?? object : object,
    field: field === undefined || (typeof field === 'string' && path === found) ? field : spelled(path),
    path,
    message,
    why: rule.why,
    fix,
  };
}

/** The path as text, e.g. `metadata.annotations['a.b/c']` */
function spelled(path: FieldPath): string {
  const last = path.at(-1);
  return typeof last === 'string' && /[^A-Za-z0-9_]/.test(last) ? `${spellPath(path.slice(0, -1))}['${last}']` : spellPath(path);
}
