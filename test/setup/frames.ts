// Findings without the place in the code: it would change with every line of a test. test/core/made-at.test.ts looks at it.
process.env.CDK8S_ASO_FRAMES = 'off';
