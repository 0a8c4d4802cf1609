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
import { member } from '../../util/records';

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
  /** Findings of Azure's rules about values that the schema refuses already, which `findings` has once. */
  readonly repeated: readonly Finding[];
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
  const repeats = new Repeats();
  const findings: Finding[] = [];
  const suppressed: Suppressed[] = [];
  for (const rule of [...rulesFor(set), ...more]) {
    for (const found of rule.find(set)) {
      if (isInGuess(found)) continue;
      const finding = findingOf(rule, found);
      const reason = elementAt(ignored, found.object.index).reasons.get(rule.id);
      if (reason === undefined) {
        if (rule.isOfAzure === true) repeats.addAzure(finding);
        else repeats.addOther(finding);
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
  const { kept, repeated } = repeats.merged(findings);
  return { findings: inOrder(kept), suppressed: inOrder(suppressed), repeated };
}

/** Rules about values that the API server refuses. */
const OF_SCHEMA: ReadonlySet<string> = new Set(['invalid-value', 'azure-name', 'missing-field']);
/** The fix of a schema that knows a pattern and no words for it. */
const WORDLESS_FIX = 'correct it';

/** A value that the API server refuses and Azure would refuse too: one mistake, which is found once. */
class Repeats {
  private readonly ofSchema = new Map<string, Finding>();
  private readonly ofAzure = new Map<Finding, string>();

  public addOther(finding: Finding): void {
    if (OF_SCHEMA.has(finding.rule) && finding.severity === 'error') this.ofSchema.set(keyOf(finding), finding);
  }

  public addAzure(finding: Finding): void {
    if (finding.severity === 'error') this.ofAzure.set(finding, keyOf(finding));
  }

  /** The findings of the schema have the fix of those that repeat them, where they have no words of their own. */
  public merged(findings: readonly Finding[]): { kept: Finding[]; repeated: readonly Finding[] } {
    const better = new Map<Finding, string>();
    const repeated = new Set<Finding>();
    for (const [finding, key] of this.ofAzure) {
      const same = this.ofSchema.get(key);
      if (!same) continue;
      repeated.add(finding);
      if (same.fix.endsWith(WORDLESS_FIX)) better.set(same, finding.fix);
    }
    if (repeated.size === 0) return { kept: [...findings], repeated: [] };
    const kept = findings.filter((finding) => !repeated.has(finding));
    return { kept: kept.map((finding) => ({ ...finding, fix: better.get(finding) ?? finding.fix })), repeated: [...repeated] };
  }
}

function keyOf({ object, path }: Finding): string {
  return `${object.index} ${spellPath(path)}`;
}

/** Whether a finding is about the value of a field that may be another one than was meant. */
function isInGuess({ object: { corrected }, field }: FoundAt): boolean {
  if (!corrected || field === undefined) return false;
  return correctionAt(typeof field === 'string' ? parsePath(field) : field, corrected)?.isGuess === true;
}

/** Azure's rule about a name, which a file without `spec.azureName` has in `metadata.name`. */
function inFile(rule: Omit<Rule, 'find' | 'asked'>, found: FoundAt): FoundAt {
  const { object, field, fix } = found;
  if (rule.isOfAzure !== true || field !== 'spec.azureName' || member(object.manifest.spec, 'azureName') !== undefined) return found;
  return { ...found, field: 'metadata.name', fix: fix.includes('azureName') ? fix : `${fix}, in spec.azureName` };
}

function findingOf(rule: Omit<Rule, 'find' | 'asked'>, of: FoundAt): Finding {
  const { object, field, message, fix, severity, why } = inFile(rule, of);
  const found = field === undefined ? [] : typeof field === 'string' ? parsePath(field) : field;
  const path = object.corrected ? writtenPath(found, object.corrected) : found;
  return {
    rule: rule.id,
    severity: severity ?? rule.severity,
    object: isAzure(object) ? object.written ?? object : object,
    field: field === undefined || (typeof field === 'string' && path === found) ? field : spelled(path),
    path,
    message,
    why: why ?? rule.why,
    fix,
  };
}

/** The path as text, e.g. `metadata.annotations['a.b/c']` */
function spelled(path: FieldPath): string {
  const last = path.at(-1);
  return typeof last === 'string' && /[^A-Za-z0-9_]/.test(last) ? `${spellPath(path.slice(0, -1))}['${last}']` : spellPath(path);
}
