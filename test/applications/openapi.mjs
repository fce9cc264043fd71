/** The operations of an OpenAPI document, and what its clients send for arguments. */

/** What is read last shows what was written, and nothing is deleted before. */
const METHODS = ['post', 'put', 'patch', 'get', 'delete'];

/**
 * Lists the operations. Each has its parameters, and the schemas of all that its callers choose. An id that several versions have is that of
 * the first.
 */
export function listOperations(document, headers) {
  const operations = METHODS.flatMap((method) =>
    Object.entries(document.paths)
      .filter(([, item]) => item[method] !== undefined)
      .map(([path, item]) => readOperation(document, { path, method, headers, ...item[method] })),
  );
  return operations.filter(({ id }, at) => operations.findIndex((other) => other.id === id) === at);
}

function readOperation(document, { path, method, headers, operationId, parameters, requestBody }) {
  const chosen = parameters
    .map((parameter) => ({ ...parameter, schema: resolve(document, parameter.schema) }))
    .map((one) => (one.in === 'header' ? { ...one, name: one.name.toLowerCase() } : one))
    .filter((one) => one.in !== 'header' || headers.includes(one.name))
    .filter(({ name }, at, all) => all.findIndex((other) => other.name === name) === at);
  const body = requestBody && resolve(document, requestBody.content['application/json'].schema);
  const names = chosen.map(({ name }) => name);
  const isWhole =
    body && !(body.properties && Object.keys(body.properties).every((name) => !names.includes(name)));
  const properties = {
    ...Object.fromEntries(chosen.map(({ name, schema }) => [name, schema])),
    ...(isWhole ? { body } : body?.properties),
  };
  const required = [
    ...chosen.filter((one) => one.required).map(({ name }) => name),
    // A body that may be empty need not be given.
    ...(isWhole ? (body.properties && !body.required ? [] : ['body']) : (body?.required ?? [])),
  ];
  return {
    id: operationId,
    path,
    method: method.toUpperCase(),
    parameters: chosen,
    body,
    isWhole,
    properties,
    required,
  };
}

/** A schema in which nothing is a reference. */
function resolve(document, schema) {
  if (Array.isArray(schema)) return schema.map((one) => resolve(document, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, allOf, ...others } = schema;
  if ($ref !== undefined) return resolve(document, document.components.schemas[$ref.split('/').at(-1)]);
  const own = Object.fromEntries(Object.entries(others).map(([name, one]) => [name, resolve(document, one)]));
  return Object.assign(own, ...(allOf ?? []).map((one) => resolve(document, one)));
}

/** The request that a client of the document sends for these arguments. */
export function buildRequest({ path, method, parameters, body, isWhole }, given) {
  const listed = (where) => parameters.filter((one) => one.in === where && given[one.name] !== undefined);
  const query = new URLSearchParams(
    listed('query').flatMap(({ name, explode }) => {
      const values = [given[name]].flat();
      return explode === false ? [[name, values.join(',')]] : values.map((value) => [name, String(value)]);
    }),
  );
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(given[name])));
  const names = parameters.map(({ name }) => name);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
  const whole = given.body === undefined && body?.type === 'object' ? {} : given.body;
  const sent = isWhole ? whole : rest;
  return {
    path: `${filled}?${query}`,
    method,
    headers: Object.fromEntries(listed('header').map(({ name }) => [name, String(given[name])])),
    ...(body !== undefined && { body: sent }),
  };
}
