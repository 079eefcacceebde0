// Writes the JSON schemas in this folder: of the kinds that the chart makes, for kubeconform, and of compose files. They come from Go
// modules: the API of Kubernetes as its server publishes it (/openapi/v3), the CustomResourceDefinitions of other projects, and the
// compose specification. They have no descriptions, and those of the kinds are strict: a field that the API server would drop is an
// error.
//   node deploy/schemas/write-schemas.mjs
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const folder = new URL('.', import.meta.url).pathname;

/** The version that deploy/without-docker/kubernetes builds. */
const [, kubernetes] = /k8s\.io\/kubernetes (v\S+)/.exec(
  readFileSync(join(folder, '../cluster/kube/go.mod'), 'utf8'),
);

const kinds = {
  'api/v1': ['ConfigMap', 'Pod', 'Service', 'ServiceAccount'],
  'apis/apps/v1': ['Deployment'],
  'apis/batch/v1': ['Job'],
  'apis/autoscaling/v2': ['HorizontalPodAutoscaler'],
  'apis/policy/v1': ['PodDisruptionBudget'],
  'apis/networking.k8s.io/v1': ['Ingress', 'NetworkPolicy'],
};
const definitions = [
  ['github.com/cert-manager/cert-manager@v1.18.2', 'deploy/crds/crd-certificates.yaml'],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  ],
  [
    'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  ['sigs.k8s.io/gateway-api@v1.3.0', 'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
];

const run = (program, ...words) => execFileSync(program, words, { encoding: 'utf8', maxBuffer: 1e9 });

for (const file of readdirSync(folder)) if (file.endsWith('.json')) rmSync(join(folder, file));
for (const [path, names] of Object.entries(kinds)) {
  const file = `api/openapi-spec/v3/${path.replaceAll('/', '__')}_openapi.json`;
  const { schemas } = JSON.parse(readModule(`k8s.io/kubernetes@${kubernetes}`, file)).components;
  const [group, version] = path.split('/').slice(1).length === 2 ? path.split('/').slice(1) : ['', 'v1'];
  for (const name of names) {
    const [id] = Object.entries(schemas).find(([, { 'x-kubernetes-group-version-kind': ids }]) =>
      ids?.some((one) => one.kind === name && one.group === group && one.version === version),
    );
    write(name, group, version, toStrict(schemas[id], schemas));
  }
}
for (const [module, file] of definitions) {
  // That of cert-manager is a template.
  const { spec } = parse(readModule(module, file).replaceAll(/^.*\{\{.*\n/gm, ''));
  const { name, schema } = spec.versions.find(({ storage }) => storage);
  write(spec.names.kind, spec.group, name, withHead(toStrict(schema.openAPIV3Schema, {})));
}

writeFileSync(
  join(folder, 'compose-spec.json'),
  `${JSON.stringify(withoutDescriptions(JSON.parse(readModule('github.com/compose-spec/compose-go/v2@v2.9.0', 'schema/compose-spec.json'))))}\n`,
);

function readModule(module, file) {
  const { Dir: dir } = JSON.parse(run('go', 'mod', 'download', '-json', module));
  return readFileSync(join(dir, file), 'utf8');
}

function withoutDescriptions(schema) {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions);
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => key !== 'description' || typeof value !== 'string',
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutDescriptions(value)]));
}

/** A definition does not say what every object has. */
function withHead(schema) {
  return { ...schema, properties: { ...schema.properties, metadata: { type: 'object' } } };
}

/** Named as kubeconform looks for it: {{.ResourceKind}}-{{.Group}}-{{.ResourceAPIVersion}}.json */
function write(kind, group, version, schema) {
  const parts = [kind.toLowerCase(), group, version].filter((part) => part !== '');
  writeFileSync(join(folder, `${parts.join('-')}.json`), `${JSON.stringify(schema)}\n`);
  console.log(`${kind} ${group}/${version}`);
}

/** Without references and descriptions; an object with known fields has no others. */
function toStrict(schema, schemas) {
  if (Array.isArray(schema)) return schema.map((one) => toStrict(one, schemas));
  if (schema === null || typeof schema !== 'object') return schema;
  if (schema.$ref) return toStrict(schemas[schema.$ref.split('/').at(-1)], schemas);
  // A reference with a default.
  if (schema.allOf?.length === 1 && !schema.properties) return toStrict(schema.allOf[0], schemas);
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string')
    return { type: ['string', 'integer'] };
  const result = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'description' || key === 'default' || key.startsWith('x-kubernetes-')) continue;
    if (key === 'properties')
      result.properties = Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, toStrict(one, schemas)]),
      );
    else
      result[key] = ['format', 'type', 'required', 'enum', 'pattern'].includes(key)
        ? value
        : toStrict(value, schemas);
  }
  // Formats of the API server (int32, duration) are not those of JSON Schema.
  delete result.format;
  if (
    result.properties &&
    !schema['x-kubernetes-preserve-unknown-fields'] &&
    result.additionalProperties === undefined
  )
    result.additionalProperties = false;
  return result;
}
