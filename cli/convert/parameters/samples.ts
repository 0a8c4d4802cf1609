import { dominantPlace, type ParameterType } from './parameter-type';

/** How often the code of parameters is compared with the files: with other values each time. */
export const SAMPLES = [0, 1] as const;

/** Values of one form, another one for each parameter and each sample. */
export type Form = (index: number, sample: number) => unknown;

const WORDS = ['q7', 'z4'] as const;

const uuid = (index: number, sample: number) => `a11c0de0-0000-4000-8000-${(index * 2 + sample).toString(16).padStart(12, '0')}`;
const word = (index: number, sample: number) => `${WORDS[sample % WORDS.length]}${index}`;
const small = (index: number, sample: number) => 2 + index * 2 + sample;

/** Forms of texts, the simplest first: a schema or a construct may accept others only. */
const TEXTS: readonly Form[] = [
  word,
  uuid,
  (index, sample) => `/subscriptions/${uuid(index, sample)}/resourceGroups/${word(index, sample)}`,
  (index, sample) => `10.${index % 250}.${sample}.0/24`,
  (index, sample) => `10.${index % 250}.${sample}.4`,
  (index, sample) => `https://${word(index, sample)}.example.com`,
  (index, sample) => `${word(index, sample)}@example.com`,
  (index, sample) => `1.${index}.${sample}`,
  (index, sample) => `PT${small(index, sample)}M`,
  (index, sample) => `2030-01-${String(1 + (index % 14) * 2 + sample).padStart(2, '0')}T00:00:00Z`,
  (index, sample) => String(small(index, sample)),
  (index, sample) => `Q7${WORDS[sample % WORDS.length]!.toUpperCase()}${index}`,
  (index, sample) => `${word(index, sample)}-abcdefghijklmnopqrstuvwxyz-0123456789`,
  (_, sample) => (sample === 0 ? 'true' : 'false'),
];
const NUMBERS: readonly Form[] = [
  small, ...[0, 10, 30, 100, 500, 1000, 10_000, 100_000].map((from): Form => (index, sample) => from + (index % 40) * 2 + sample),
  ...[32, 128, 1024, 10_240].map((from): Form => (_, sample) => from * (sample + 1)),
];

/** The places at which a parameter stands. */
interface Places {
  readonly type: ParameterType;
  readonly places: readonly ParameterType[];
  readonly parts: readonly string[];
}

/** The forms that values of a parameter may have. */
export function formsOf({ type, places, parts }: Places): readonly Form[] {
  const place = type.is === 'string' ? dominantPlace(places) : undefined;
  if (place?.is === 'number') return NUMBERS.map((form): Form => (index, sample) => String(form(index, sample)));
  if (place?.is === 'boolean') return [(_, sample) => String(sample % 2 === 0)];
  if (place?.is === 'enum') return [valuesOf(place), ...TEXTS];
  if (type.is === 'string') return parts.length > 0 ? [(_, sample) => parts[sample % parts.length], ...TEXTS] : TEXTS;
  return type.is === 'number' ? NUMBERS : [valuesOf(type)];
}

function valuesOf(type: ParameterType): Form {
  switch (type.is) {
    case 'enum':
      return (_, sample) => type.members[sample % type.members.length]?.value;
    case 'list':
      return (index, sample) => Array.from({ length: sample + 1 }, (__, item) => valuesOf(type.of)(index, sample + item));
    case 'map':
      return (index, sample) => ({ [word(index, sample)]: valuesOf(type.of)(index, sample) });
    case 'number':
      return small;
    case 'boolean':
      return (_, sample) => sample % 2 === 0;
    case 'any':
      return (index, sample) => (sample === 0 ? small : word)(index, sample);
    default:
      return word;
  }
}
