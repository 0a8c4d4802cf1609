import { jsonEquals } from '../../../src/util/json-equals';
import { isRecord } from '../../../src/util/records';

/** The JSONPath of printer columns: fields, indices, `[*]` and filters such as `[?(@.type=='Ready')]`. */
export function jsonPath(value: unknown, path: string): unknown[] {
  return steps(path).reduce<unknown[]>((nodes, step) => nodes.flatMap(step), [value]);
}

type Step = (node: unknown) => unknown[];

const known = new Map<string, Step[]>();

function steps(path: string): Step[] {
  let parsed = known.get(path);
  if (!parsed) known.set(path, (parsed = parse(path)));
  return parsed;
}

const TOKEN = /\.((?:\\.|[^.[\]\\])+)|\[\?\(@(\.[^=!<>\s)]+)\s*(==|!=)\s*(?:'([^']*)'|"([^"]*)"|([^)\s]+))\s*\)\]|\[(\*|-?\d+)\]|\['((?:\\.|[^'\\])*)'\]/y;

function parse(path: string): Step[] {
  const result: Step[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < path.length) {
    const match = TOKEN.exec(path);
    // A column that is not understood stays empty, as it does where a path leads nowhere.
    if (!match) return [() => []];
    const [, field, filterPath, operator = '', single, double, bare = '', index, quoted = ''] = match;
    if (filterPath !== undefined) {
      result.push(filter(filterPath, operator, single ?? double ?? literal(bare)));
    } else if (index !== undefined) {
      result.push(index === '*' ? elements : (node) => (Array.isArray(node) ? node.slice(Number(index)).slice(0, 1) : []));
    } else {
      result.push(fieldStep((field ?? quoted).replace(/\\(.)/g, '$1')));
    }
  }
  return result;
}

const elements: Step = (node) => (Array.isArray(node) ? node : isRecord(node) ? Object.values(node) : []);

const fieldStep = (name: string): Step =>
  name === '*' ? elements : (node) => (isRecord(node) && node[name] !== undefined ? [node[name]] : []);

const filter = (path: string, operator: string, wanted: unknown): Step => (node) =>
  (Array.isArray(node) ? node : []).filter((item) => jsonEquals(jsonPath(item, path)[0], wanted) === (operator === '=='));

function literal(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
