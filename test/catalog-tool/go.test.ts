import { followValues } from '../../catalog-tool/facts/data-flow';
import { validationsIn } from '../../catalog-tool/facts/markers';
import { GoParser } from '../../catalog-tool/go/parse';

const parser = GoParser.load();
const parsed = async (source: string, wanted = (_: string) => true) => (await parser).parse(source, wanted, 'made-up.go');

test('structs have their fields with types, tags and comments', async () => {
  const file = await parsed(`package v1

// A bed.
type Bed struct {
	// Size: how big.
	// +kubebuilder:validation:Required
	Size *int \`json:"size,omitempty" group:"a b"\`

	// Another comment.

	Rows map[string][]v1.JSON
}
`);
  const json = { is: 'name', package: 'v1', name: 'JSON' };
  expect(file.structs).toEqual([{
    name: 'Bed',
    comment: ['A bed.'],
    fields: [
      {
        name: 'Size',
        type: { is: 'pointer', of: { is: 'name', name: 'int' } },
        tags: { json: 'size,omitempty', group: 'a b' },
        comment: ['Size: how big.', '+kubebuilder:validation:Required'],
      },
      {
        name: 'Rows',
        type: { is: 'map', key: { is: 'name', name: 'string' }, of: { is: 'slice', of: json } },
        tags: {},
        comment: [],
      },
    ],
  }]);
});

test('functions that are not wanted are not even parsed', async () => {
  const source = 'package v1\n\nfunc Broken() {\n\tif {{\n}\n\nfunc Wanted() string {\n\treturn "a"\n}\n\nfunc Short() {}\n';
  expect((await parsed(source, (name) => name !== 'Broken')).functions.map(({ name }) => name)).toEqual(['Wanted', 'Short']);
  await expect(parsed(source)).rejects.toThrow('made-up.go: this is not Go that the grammar knows');
});

const flowsOf = async (body: string) => {
  const file = await parsed(`package v1\n\nfunc (bed *Bed) ConvertToARM() {\n${body}\n}\n`);
  return followValues(file.functions[0]!.body, 'bed', 'result');
};

describe('values are followed', () => {
  test.each<[string, string, object]>([
    ['through a local variable', 'size := *bed.Size\nresult.Properties.Size = &size', { from: ['Size'], to: ['Properties', 'Size'] }],
    ['through a conversion', `
      var temp string
      temp = string(*bed.Sort)
      sort := arm.Sort(temp)
      result.Sort = &sort`, { from: ['Sort'], to: ['Sort'] }],
    ['through a method', `
      soil_ARM, err := bed.Soil.ConvertToARM(resolved)
      if err != nil {
        return nil, err
      }
      soil := *soil_ARM.(*arm.Soil)
      result.Soil = &soil`, { from: ['Soil'], to: ['Soil'] }],
    ['through a look-up', `
      id, err := resolved.References.Lookup(*bed.WaterReference)
      result.WaterId = &id`, { from: ['WaterReference'], to: ['WaterId'] }],
    ['into an array', `
      for _, item := range bed.Rows {
        result.Rows = append(result.Rows, item)
      }`, { from: ['Rows'], to: ['Rows'] }],
    ['into an array of arrays', `
      for _, item := range bed.Rows {
        var temp []string
        for _, inner := range item {
          temp = append(temp, inner)
        }
        result.Rows = append(result.Rows, temp)
      }`, { from: ['Rows'], to: ['Rows'] }],
  ])('%s', async (_, body, flow) => {
    expect((await flowsOf(body)).flows).toEqual([flow]);
  });

  test('what is sent empty is reported', async () => {
    const { emptied } = await flowsOf(`
      if result.Rows == nil {
        result.Rows = []string{}
      }
      if result.Tags == nil {
        result.Tags = make(map[string]string)
      }
      result.Notes = make(map[string]string, len(bed.Notes))`);
    expect(emptied).toEqual([['Rows'], ['Tags']]);
  });

  test('a constant comes from nowhere', async () => {
    expect((await flowsOf('result.Name = resolved.Name\nresult.Kind = arm.Kind("a")')).flows).toEqual([]);
  });
});

test.each([
  ['+kubebuilder:validation:Enum={"a","b"}', { enum: ['a', 'b'] }],
  ['+kubebuilder:validation:Enum={1,2}', { enum: [1, 2] }],
  ['+kubebuilder:validation:Enum=A;B', { enum: ['A', 'B'] }],
  ['+kubebuilder:validation:Pattern="^a\\\\.b=$"', { pattern: '^a\\.b=$' }],
  ['+kubebuilder:validation:Minimum=-1.5', { minimum: -1.5 }],
  ['+kubebuilder:default=false', { default: false }],
  ['+kubebuilder:default={login: true}', { default: { login: true } }],
  ['+kubebuilder:validation:Required', {}],
  ['A sentence about kubebuilder:validation:Minimum=1', {}],
])('%s', (line, validations) => expect(validationsIn([line])).toEqual(validations));
