import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUNDLE_FILE } from './composer-deployment';
import { releaseImage } from './release-image';
import { headerOf, revisionOf } from '../../../composer/bundle/bundle-header';
import { DEFINITION_REVISION } from '../../../src/azure/annotations';

/** Writes the build context of an image of the composer with a bundle inside. Answers the paths of its files. */
export function writeImageContext(directory: string, code: string): string[] {
  mkdirSync(directory, { recursive: true });
  const files = { 'Dockerfile': dockerfileOf(code), '.dockerignore': '*\n!bundle.js\n', 'bundle.js': code };
  return Object.entries(files).map(([name, text]) => {
    const file = join(directory, name);
    writeFileSync(file, text);
    return file;
  });
}

function dockerfileOf(code: string): string {
  const { library } = headerOf(code);
  return `# The composer of cdk8s-aso ${library} with a definition. The argument is for mirrors, and for digests.
ARG COMPOSER_IMAGE=${releaseImage(library)}
FROM \${COMPOSER_IMAGE}
COPY --chown=0:0 bundle.js ${BUNDLE_FILE}
LABEL ${DEFINITION_REVISION}=${revisionOf(code)}
CMD ["--bundle=${BUNDLE_FILE}"]
`;
}
