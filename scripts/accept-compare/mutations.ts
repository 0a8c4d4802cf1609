import type { Shape } from '../../engine/compare';
import { pointerStep } from '../../src/util/json-pointer';

/** A body with one value changed. */
export interface Mutation {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Azure does not give the value back. */
  readonly writeOnly: boolean;
}

/** Every single value of a body changed, one at a time. The name is not: it is that of the URL. */
export function mutations(body: Readonly<Record<string, unknown>>, shape: Shape): Mutation[] {
  return Object.keys(body)
    .filter((key) => key !== 'name')
    .flatMap((key) =>
      changed(body[key], shape.members?.get(key) ?? {}, `/${pointerStep(key)}`).map(({ path, value, writeOnly }) => ({
        path,
        body: { ...body, [key]: value },
        writeOnly,
      })),
    );
}

function changed(value: unknown, shape: Shape, path: string): { path: string; value: unknown; writeOnly: boolean }[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      changed(item, { ...shape.element, ...(shape.secret && { secret: true }) }, `${path}/${index}`).map((one) => ({
        ...one,
        value: value.with(index, one.value),
      })),
    );
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, item]) => {
      const below = shape.values ?? shape.members?.get(key) ?? {};
      return changed(item, { ...below, ...(shape.secret && { secret: true }) }, `${path}/${pointerStep(key)}`).map((one) => ({
        ...one,
        value: { ...value, [key]: one.value },
      }));
    });
  }
  const other = otherThan(value);
  return other === undefined ? [] : [{ path, value: other, writeOnly: shape.secret === true }];
}

function otherThan(value: unknown): unknown {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  return typeof value === 'boolean' ? !value : undefined;
}
