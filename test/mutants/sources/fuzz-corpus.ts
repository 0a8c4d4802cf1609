import { edit, type SourceMutant } from '../by-suites';
import type { SourceEdit } from '../mutant';

const REST_CLIENT = 'engine/kubernetes/rest-client.ts';
const REVIEWS = 'controller/admission/reviews.ts';

/** For each input of `test/fuzz/corpus` the mistake that it once found, which it has to find again. */
const MISTAKES: Readonly<Record<string, SourceEdit>> = {
  'annotations-generation-is-object': edit(
    'engine/objects/last-applied.ts',
    "generation: typeof value.generation === 'number' ? value.generation : 0,",
    'generation: Number(value.generation ?? 0),',
  ),
  'azure-answer-deep': edit('engine/arm/json.ts', 'depth > DEEPEST_ANSWER || ', ''),
  'conversion-review-name-is-object': edit(REVIEWS, "textOr(object.metadata[key], '')", 'object.metadata[key]'),
  'convert-nested-lists': edit(
    'cli/convert/print-expression.ts',
    '    const inline = inlineBlock(',
    // Each level that is printed twice doubles the time: here so many that the suite ends all the same.
    '    if (indent.length < 34) lines.forEach(({ value }) => printExpression(value, printing, `${indent}${INDENT}`));\n'
    + '    const inline = inlineBlock(',
  ),
  'crd-required-is-text': edit('cli/import-crds/sound-schema.ts', '  required: TEXTS,\n', ''),
  'exports-label-is-object': edit('engine/export/destinations.ts', '{ labels: textsIn(labels) }', '{ labels }'),
  'kubernetes-list-item-without-metadata': edit(REST_CLIENT, ' || !objects.every(isStored)', ''),
  'kubernetes-list-items-is-object': edit(
    REST_CLIENT, '!Array.isArray(objects) || !objects.every', 'Array.isArray(objects) && !objects.every',
  ),
  'kubernetes-watch-managed-fields-null': edit(
    'engine/kubernetes/applied-version.ts',
    '!entry?.subresource && Boolean(entry?.fieldsV1)',
    '!entry!.subresource && Boolean(entry!.fieldsV1)',
  ),
  'kubernetes-watch-null': edit(REST_CLIENT, '(line ?? {}) as', 'line as'),
  'kubernetes-watch-status-message-is-list': edit(
    'engine/kubernetes/status-error.ts', 'textOf(message) || `the watch', '(message as string) || `the watch',
  ),
  'validate-review-name-is-list': edit(REVIEWS, "['name', 'namespace', 'deletionTimestamp']", "['namespace', 'deletionTimestamp']"),
};

export const FUZZ_CORPUS: readonly SourceMutant[] = Object.entries(MISTAKES).map(([name, mistake]) => ({
  name,
  edits: [mistake],
  suites: ['test/fuzz/fuzz.test.ts'],
  test: `${name}\\.json`,
}));
