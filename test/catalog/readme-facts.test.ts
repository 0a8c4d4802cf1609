import { Catalog, isArray, isCommon, isConstrained, isMap, isRef, TypeExpression, TypeFacts } from '../../src/catalog';

// Statements of catalog/README.md about all kinds, on which code generation, the library and the controller rely.

const catalog = Catalog.default();
const kinds = catalog.allKinds;
const versions = kinds.flatMap((kind) => kind.versionNames.map((name) => kind.version(name)!));

/** Faults by place; each test expects an empty list. */
const faults = <T>(items: readonly T[], fault: (item: T) => string | false | undefined) =>
  items.map(fault).filter((text) => typeof text === 'string');
const named = (version: (typeof versions)[number]) => `${version.apiVersion} ${version.kind.kind}`;

test('sameAs names a version with facts of its own, never another alias', () => {
  expect(faults(kinds, ({ kind, facts }) => {
    const originals = Object.values(facts.versions).flatMap(({ sameAs }) => (sameAs ? [facts.versions[sameAs]] : []));
    return originals.some((original) => !original || original.sameAs) && kind;
  })).toEqual([]);
});

test('latest and storage version are among the versions', () => {
  expect(faults(kinds, ({ facts, kind }) => !(facts.latest in facts.versions && facts.storageVersion in facts.versions) && kind)).toEqual(
    [],
  );
});

test('latest is a stable version where there is one', () => {
  expect(
    faults(
      kinds,
      (kind) => kind.facts.latest.includes('preview') && kind.versionNames.some((name) => !name.includes('preview')) && kind.kind,
    ),
  ).toEqual([]);
});

test('every kind is an ARM resource with scope and URI, or written by hand', () => {
  expect(faults(versions, (version) => {
    const { arm, handwritten, scope } = version.facts;
    return (handwritten ? arm !== undefined : !arm || !scope) && named(version);
  })).toEqual([]);
  const handwritten = kinds.filter((kind) => kind.latest.facts.handwritten).map(({ service, kind }) => `${service}.${kind}`);
  expect(handwritten).toEqual(['databases.DatabaseAccess', 'dbformysql.User', 'dbforpostgresql.User', 'entra.SecurityGroup', 'sql.User']);
});

test('an owner is a kind of the catalog, and has its property', () => {
  expect(faults(versions, (version) => {
    const { owner } = version.facts;
    if (!owner) return version.specProperty('owner') !== undefined && `${named(version)}: an owner property without owner`;
    if (version.specProperty('owner') === undefined) return `${named(version)}: no owner property`;
    return owner !== 'any' && !catalog.kind(owner.group, owner.kind) && `${named(version)}: unknown owner ${owner.kind}`;
  })).toEqual([]);
});

test('a name is either free or fixed, not both', () => {
  expect(
    faults(versions, (version) => (version.facts.name === 'azureName') !== 'azureName' in version.specType.props && named(version)),
  ).toEqual([]);
});

test('every type that is mentioned is there', () => {
  const missing = new Set<string>();
  for (const version of versions) {
    const seen = new Set<string>();
    const visit = (type: TypeExpression): void => {
      if (isArray(type)) return visit(type.array);
      if (isMap(type)) return visit(type.map);
      if (isConstrained(type)) return visit(type.type);
      if (isCommon(type) && !catalog.common[type.common]) missing.add(`common ${type.common}`);
      if (isRef(type) && !seen.has(type.ref)) {
        seen.add(type.ref);
        const facts = catalog.service(version.kind.service)!.types[version.typesOf]?.[type.ref];
        if (facts) visitType(facts);
        else missing.add(`${named(version)}: ${type.ref}`);
      }
    };
    const visitType = (facts: TypeFacts) => Object.values(facts.props).forEach((property) => visit(property.type));
    visitType(version.specType);
  }
  expect([...missing]).toEqual([]);
});

test('the members of a union are inline and in its order', () => {
  for (const version of versions) {
    for (const type of Object.values(catalog.service(version.kind.service)!.types[version.typesOf] ?? {})) {
      if (!type.oneOf) continue;
      expect(Object.keys(type.props).filter((name) => type.props[name]!.inline).sort()).toEqual([...type.order!].sort());
    }
  }
});

test('what stands for another property has that property beside it', () => {
  const types = catalog.services.flatMap((service) =>
    Object.values(catalog.service(service)!.types).flatMap((byName) => Object.entries(byName)),
  );
  expect(types.filter(([, { props }]) => Object.values(props).some(({ alternativeTo }) => alternativeTo)).length).toBeGreaterThan(50);
  expect(faults(types, ([name, { props }]) => {
    const targets = Object.values(props).flatMap(({ alternativeTo }) => alternativeTo ?? []);
    return targets.some((target) => !props[target]) && name;
  })).toEqual([]);
});

test('every ConfigMap export has its place in operatorSpec', () => {
  expect(faults(versions, (version) => {
    const exported = Object.keys(version.facts.exports?.configMaps ?? {});
    if (exported.length === 0) return undefined;
    const operatorSpec = version.specProperty('operatorSpec')?.[1].type;
    const property = version.facts.exports!.configMapsProperty ?? 'configMaps';
    const holder = operatorSpec && isRef(operatorSpec) ? version.type(operatorSpec.ref).props[property]?.type : undefined;
    if (!holder || !isRef(holder)) return `${named(version)}: nowhere to put ConfigMap exports`;
    return exported.some((name) => !version.type(holder.ref).props[name]) && named(version);
  })).toEqual([]);
});
