/**
 * The words that names of classes, types, files and folders are made of, each with the place where people know it from; the headings of
 * `docs/glossary.md` belong to them. A word covers its forms ("session", "sessions"). Before adding one, look for the word of the field:
 * two words for one thing make both harder to find.
 */
const VOCABULARY = {
  // The specification, its schemas and JSON-RPC.
  MCP: `
    aborted absence accepted access acknowledgement action active activity add address advertised advice
    aliases all allowed annotations answer any anything api application args argument arrived asked asking
    attempt audio auth authenticated authentication authenticator authorize back bare base batch bearer
    begin binary bind blob block body broadcast browser buffered built by bytes cache call can cancellable
    cancellation candidates capability carried carrying change channel characters check choice claim cli
    closed closing code command compare complete completions condition config configuration connect consent
    constants container content controller conversation core cors count counters create cross current cursor
    custom date declaration declared declaring decode default defined definition delete describe description
    details dev dialect digest directions directory discover discovery dispatch display document dpop draft
    duplicate earlier edge element elicitation elicited elicitor embedded emitter empty encode end endpoint
    enterprise entry envelope environment error estimate example exception exchange execution exit
    expectation expected expiry express extras fact failed failure family feature fetch field file filter
    findings finished first fixed fixes flight follow for form format found from full gate generated
    generation get given global grant handshake headers help hint hmac holder hook http icon id identity idp
    image implementation in index indicator info init initialize inline insertion inspect instructions
    insufficient interface interval invalid invoke is issue item json jwt key keyword known last lazy left
    level lifecycle limit line link list listen literal live local location log logger loopback lost made
    maker managed manual map match mcp meaning means member memory message meta metadata method middleware
    mirror mismatch missing mocks mode model more ms name namespace need negotiated nest network new next no
    nonce not notice notification null number oauth object observed off offered official omit once only open
    operation operator option or order origin out output own page paginated parameter params parse parsers
    part path payload pending per permission persisted ping pkce plain point position post preferences
    prefix presentation private probe profile progress project prompt property protected prove provided
    provider proxy public purpose query question range raw read readings reason received receiver recipient
    reconnect record redirect ref reference refresh refusable refused registered registering registration
    relative replaced replacement replay reply report requesters required requirement reservation response
    rest restricted restriction result resumption retried retry return reusable revision role root row rpc
    rule run sample scenario schema scheme script search seconds secret section security select send sent
    serve service set settings severity sha shape show shown shutdown side sign silent single size slow spec
    specifier ssrf stability stale standard start state static status stdio still stop store string
    structure style subject subscribe subscription succession suggest supports take taken template tenant
    terminal termination test text this time timeout title to too tool topic transport trusted ts turns type
    ui unknown unlisted unsafe unsent unsubscribe unsupported untrusted update uri url usage use user
    validated validation validator value verdict verifier visible waiting waits warn warnings whole wire
    with without words wrapper write zod
  `,
  // OAuth, OpenID Connect and JOSE: RFCs, and the libraries that implement them.
  OAuth: `
    alternative amount applied assignable async attributes build canonical cause chain class clock crypto delivery
    detached development direct dynamic encrypted exported exports extract factory forwarding function group
    import insecure instance introspected introspection invocation jwk layer lib library load logout lookup
    machine media middle module node outbound overload package pair policy presence prettier production
    promise proof props registry remote remove resolve revocation revoke signals socket storage subtype
    syntax tag target terms tls tracker transformations unauthorized unrecognized unverified verification
    yet cookie interaction upstream gateway breaker circuit pinned
  `,
  // Nest and its packages.
  Nest: `
    activate adapter admin assert assets assignment bootstrap budget builders captured child cipher collect
    compile composed constraint consumer contract conversion convert copied copy csp decision decorated
    decoration decorator deferred dependency destination diff difference drain dto enhancer entity eviction
    evictor excluded expand explorer expose fastify find flag flatten foreign forwarded forwarder frame fs
    generators guard head health hidden idle inbound incoming increment inheritance inject instruments
    intercept interceptors jest kind large listeners lock login mark mask matchers moved normalize
    observable observation observer occurrence outcome overlapping parent peer pipe placeholder prepared
    printer prototype publish queue redact registrar release remaining route scan secure serialize
    settlement setup share split sql stack startup strategy subscribers summary swagger swap sweeper
    throttle timers together trace transform transient tree unanswered unavailable unread unserializable
    uploads variable view watch webhook work workers
  `,
  // The API and the semantic conventions.
  OpenTelemetry: `
    bucket carrier gauge manager meter primary safely span telemetry unit
  `,
  // Node and the web platform.
  Node: `
    account acquired acquirer addition allocate archive backlog bar card coerce columns concurrency delay
    demand derive desktop dirent distributed edit encoders escape excess exclusive feed fingerprints folder
    guessed hiding history inactivity installation interrupt keyboard loss main measure migrate
    minute overview panel pause plan problem rate removal restored sequentially slice stats table ticket
    unusable variant visibility
  `,
  // Common patterns of servers, caches, queues, clusters and user interfaces.
  patterns: `
    engine period
    abandoned affected analysis analyzer audit backfill badge bench board bridge button cart codec composition
    contender credential deployment dialog disclosure discriminator doctor examine exhausted expirable explain fair
    fake fan frontmatter gap heartbeat inbox incidents ineffective interactive interruptible journal keyring
    late lease ledger lint liveness manifest misplaced mutex notifier outage preset proven pump quota quote
    readiness reclaimable recover refunds refusal relay repository resilient schematic seal shorten sink slot
    stalled submit subschema tokenless trail unchecked unexchangeable unrepresentable visit workload
  `,
  // Products and libraries that parts are made for.
  libraries: `
    ajv arktype cognito entra graphql ioredis keycloak mini morph o okta redis valibot workos
  `,
};

/** Words that names once used as metaphors, with what says it. */
const RETIRED = {
  adopt: 'recover',
  announce: 'publish',
  announcer: 'publisher',
  area: 'list, capability or panel',
  bounds: 'limits',
  cure: 'fix',
  elsewhere: 'remote',
  fault: 'problem',
  hear: 'audience',
  kept: 'stored or cached',
  keeper: 'store',
  news: 'updates',
  place: 'slot, position or location',
  remedy: 'fix',
  spare: 'evictable',
  standing: 'standalone',
  stranger: 'anonymous caller',
  survey: 'probe',
  teller: 'reporter',
  told: 'published',
  upkeep: 'refresh',
  whereabouts: 'location',
};

const ENDINGS = [
  ['ies', 'y'],
  ...[
    'es',
    's',
    'ed',
    'ing',
    'er',
    'or',
    'ion',
    'able',
    'ment',
    'al',
    'ation',
    'ance',
    'ence',
    'ity',
    'ly',
  ].flatMap((ending) => [
    [ending, ''],
    [ending, 'e'],
  ]),
];

/** Returns the forms under which the vocabulary may have a word: itself, and without its ending. */
function listForms(word) {
  const bare = ENDINGS.filter(([ending]) => word.endsWith(ending) && word.length - ending.length >= 2).map(
    ([ending, rest]) => word.slice(0, -ending.length) + rest,
  );
  // A doubled consonant goes with the ending: "stopped", "setting".
  return [word, ...bare, ...bare.filter((one) => /([a-z])\1$/.test(one)).map((one) => one.slice(0, -1))];
}

/** Splits a name into its words: `SseStream`, `parse-json.ts`. */
function splitName(name) {
  return (name.match(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+/g) ?? []).map((word) => word.toLowerCase());
}

/** Creates the check of names. It returns a sentence for each word of a name that is in neither the vocabulary nor the glossary. */
export function createNameCheck(glossary) {
  const terms = glossary.match(/^### .*$/gm) ?? [];
  const known = new Set(
    [...Object.values(VOCABULARY), ...terms].flatMap((words) => splitName(words).flatMap(listForms)),
  );
  return (name) =>
    splitName(name).flatMap((word) => {
      const forms = listForms(word);
      const retired = forms.find((form) => Object.hasOwn(RETIRED, form));
      if (retired !== undefined) return [`"${word}" in "${name}" is retired: write ${RETIRED[retired]}`];
      if (forms.some((form) => known.has(form))) return [];
      return [
        `"${word}" in "${name}" is no word of the field: use its word, or define it in docs/glossary.md`,
      ];
    });
}
