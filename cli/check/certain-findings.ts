import type { RuleReport, Finding } from '../../src/core/rules/run-rules';
import { groupOf } from '../../src/object-id';
import { mayBeInCatalog } from '../../src/util/api-groups';
import { isLaterAt, isPartLaterAt, laterValuesOf, type LaterValues } from '../manifests/later/later-values';
import { variablesIn } from '../manifests/later/variables';
import { variantsOf } from '../manifests/later/variants';
import { type Manifest } from '../manifests/manifests';

/** Rules about one value, which the values beside it do not change. */
const ABOUT_ONE_VALUE: ReadonlySet<string> = new Set([
  'unknown-group', 'unknown-kind', 'unknown-version', 'missing-field', 'invalid-value',
  'deprecated-version', 'release', 'object-name', 'credential-from',
]);
/** Rules about the key itself. */
const ABOUT_KEYS: ReadonlySet<string> = new Set(['unknown-field', 'namespace-in-reference', 'unknown-annotation', 'runtime-annotation']);
/** Rules about rights and keys, which follow from many objects: a variable in any of them may be the one that decides. */
const ABOUT_RIGHTS = /^credential-|^(?:key|export)-switched-off$/;
/** Kinds besides those of Azure from which the rules about rights conclude: `src/core/credentials/scopes`. */
const KINDS_ABOUT_RIGHTS: ReadonlySet<string> = new Set(['/Namespace', '/Secret', 'external-secrets.io/ExternalSecret', 'bitnami.com/SealedSecret']);
/** Rules that compare with the name of their object. */
const ABOUT_NAMES: ReadonlySet<string> = new Set(['write-once', 'communication-sender', 'communication-domain']);
/** Rules about an object of that name elsewhere: one whose name is not known may be nearer. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set(['reference-across-namespaces', 'value-namespace']);

/**
 * Whether a finding holds whatever the values are that come later.
 * @param run the rules over other objects, in the same order
 */
export function certain(
  manifests: readonly Manifest[], later: LaterValues, run: (objects: readonly Manifest['object'][]) => RuleReport,
): (finding: Finding) => boolean {
  if (later.count === 0) return ({ path }) => !opensVariable(path);
  const found = variantsOf(manifests.map(({ object }) => object)).map((objects) => new Set(run(objects).findings.map(keyOf)));
  const areRightsLater = laterValuesOf(manifests.filter(isAboutRights)).count > 0;
  const isAnyNameLater = manifests.some(({ object }) => isLaterAt(object, ['metadata', 'name']));
  return (finding) => {
    const { path, rule } = finding;
    const object = manifests[finding.object.index]?.object;
    if (opensVariable(path)) return false;
    // The key is written, whatever its value will be.
    if (ABOUT_KEYS.has(rule)) return !isKeyLater(path);
    if (isLaterAt(object, path)) return false;
    if (ABOUT_ONE_VALUE.has(rule)) return true;
    if ((areRightsLater && ABOUT_RIGHTS.test(rule)) || (isAnyNameLater && ABOUT_OTHERS.has(rule))) return false;
    if (ABOUT_NAMES.has(rule) && isLaterAt(object, ['metadata', 'name'])) return false;
    return !isPartLaterAt(object, path) && found.every((keys) => keys.has(keyOf(finding)));
  };
}

function isKeyLater(path: Finding['path']): boolean {
  return path.some((step) => typeof step === 'string' && variablesIn(step).length > 0);
}

/** Whether a key has the beginning of a variable: YAML parts `${ROLE/#arn/example.com/role: arn}` of envsubst at its colon. */
function opensVariable(path: Finding['path']): boolean {
  return path.some((part) => typeof part === 'string' && part.includes('${'));
}

function isAboutRights({ object }: Manifest): boolean {
  const group = groupOf(object);
  return mayBeInCatalog(group) || KINDS_ABOUT_RIGHTS.has(`${group}/${object.kind}`);
}

function keyOf({ rule, object, path }: Finding): string {
  return JSON.stringify([rule, object.index, path]);
}
