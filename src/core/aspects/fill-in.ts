import { isRecord } from '../../util/records';

type Props = Readonly<Record<string, unknown>>;

/**
 * The props with a value at a path, or the same props if they have one there already, or an alternative to it (`tenantIdFromConfig`).
 * The caller's objects stay as they are.
 * @param creates whether parents that are missing are created
 */
export function fillIn(props: Props, path: readonly string[], value: unknown, creates: boolean): Props {
  const [name, ...rest] = path;
  if (name === undefined || isSet(props, name)) return props;
  if (rest.length === 0) return { ...props, [name]: value };
  const inner = props[name];
  if (inner === undefined ? !creates : !isRecord(inner) || 'resolve' in inner || 'produce' in inner) return props;
  const filled = fillIn((inner ?? {}) as Props, rest, value, creates);
  return filled === inner ? props : { ...props, [name]: filled };

  function isSet(of: Props, property: string): boolean {
    return rest.length === 0 && (of[property] !== undefined || of[`${property}FromConfig`] !== undefined);
  }
}
