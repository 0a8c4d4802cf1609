// The software bill of materials, CycloneDX 1.6: the packages that are inside the bundles, which no package.json tells.
//
// It has neither a time nor a serial number, so that the same sources give the same file.
import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import parseSpdx from 'spdx-expression-parse';
import { CONTENTS } from './contents.mjs';

const licences = new Contrib.License.Factories.LicenseFactory(parseSpdx);
const { ComponentType, ExternalReferenceType } = Enums;

/**
 * @param main what the file is about: `name`, `version`, `licence`, and `type`, a value of ComponentType
 * @param programs the bundles: `name`, `packages` (packagesOf) and `imports` (importsOf). One of the name of `main` is `main` itself.
 * @return the text of the file
 */
export function sbom(main, programs) {
  const subject = componentOf(main.type, main);
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component: subject }) });
  const components = new Map();
  const all = programs.flatMap(({ packages }) => packages);
  for (const entry of all) if (!components.has(entry.key)) components.set(entry.key, ofPackage(entry));
  for (const { name, packages, imports } of programs) {
    const program = name === main.name ? subject : componentOf(ComponentType.Application, { ...main, name });
    if (program !== subject) {
      subject.dependencies.add(program.bomRef);
      bom.components.add(program);
    }
    const dependOn = (from, keys = []) => keys.forEach((key) => from.dependencies.add(components.get(key).bomRef));
    for (const { key } of packages) dependOn(components.get(key), imports.get(key));
    dependOn(program, imports.get(''));
  }
  for (const component of components.values()) bom.components.add(component);
  return new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)).serialize(bom, { sortLists: true, space: 1 });
}

function ofPackage({ manifest: { name, version }, licence }) {
  const component = componentOf(ComponentType.Library, { name, version, licence });
  for (const { name: part, licence: its, vcs } of CONTENTS[name]?.components ?? []) {
    const nested = new Models.Component(ComponentType.Library, part, { bomRef: `${component.purl}#${part}` });
    nested.licenses.add(licences.makeFromString(its));
    nested.externalReferences.add(new Models.ExternalReference(vcs, ExternalReferenceType.VCS));
    component.components.add(nested);
  }
  return component;
}

/** An npm package, or a program inside of one (`name/path`). */
function componentOf(type, { name, version, licence }) {
  const [, scope, base, path] = /^(@[^/]+)?\/?([^/]+)(?:\/(.+))?$/.exec(name);
  const purl = new PackageURL('npm', scope, base, version, undefined, path).toString();
  const component = new Models.Component(type, path ? name : base, { group: scope, version, purl, bomRef: purl });
  if (licence) component.licenses.add(licences.makeFromString(licence));
  return component;
}
