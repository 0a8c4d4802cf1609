import { evaluated } from '../../../../cli/manifests/later/envsubst';

/** The results of Flux's own library, `github.com/fluxcd/pkg/envsubst`. */
test.each([
  ['${NAME}', 'abcdEFGH28ij', 'abcdEFGH28ij'],
  ['${#NAME}', 'abcdEFGH28ij', '12'],
  ['${NAME^}', 'abcdEFGH28ij', 'AbcdEFGH28ij'],
  ['${NAME^^}', 'abcdEFGH28ij', 'ABCDEFGH28IJ'],
  ['${NAME,}', 'ABCDEFGH28IJ', 'aBCDEFGH28IJ'],
  ['${NAME,,}', 'ABCDEFGH28IJ', 'abcdefgh28ij'],
  ['${NAME:11}', '/home/bozo/ideas/thoughts.for.today', 'ideas/thoughts.for.today'],
  ['${NAME:11:5}', '/home/bozo/ideas/thoughts.for.today', 'ideas'],
  ['${NAME:40}', 'short', ''],
  ['${NAME: -3}', 'abcdef', 'def'],
  ['${NAME:=xyz}', 'abc', 'abc'],
  ['${NAME:=xyz}', '', 'xyz'],
  ['${NAME-xyz}', 'abc', 'abc'],
  ['${NAME/abc/xyz}', 'abcABC123ABCabc', 'xyzABC123ABCabc'],
  ['${NAME//abc/xyz}', 'abcABC123ABCabc', 'xyzABC123ABCxyz'],
  ['${NAME/#abc/XYZ}', 'abcABC123ABCabc', 'XYZABC123ABCabc'],
  ['${NAME/%abc/XYZ}', 'abcABC123ABCabc', 'abcABC123ABCXYZ'],
  ['${NAME/./}', 'foo.bar', 'foobar'],
  ['${NAME%-prod}', 'shop-prod', 'shop'],
  ['${NAME#shop-}', 'shop-prod', 'prod'],
  ['$(NAME)', 'x', 'x'],
  // No variable of Flux: the name of an expression of kro.
  ['${schema.spec.name}', 'shop', 'shop'],
])('%s of %s is %s', (expression, value, result) => {
  expect(evaluated(expression, value)).toBe(result);
});

test.each(['${NAME#*.}', '${NAME%%.*}', '${NAME+x}', '${NAME:?x}', '${NAME/\\//-}', '${NAME@Q}'])('%s is not known', (expression) => {
  expect(evaluated(expression, 'a.b/c')).toBeUndefined();
});

test('bytes are not counted of other characters', () => {
  expect(evaluated('${#NAME}', 'é')).toBeUndefined();
  expect(evaluated('${NAME:1}', 'éa')).toBeUndefined();
});
