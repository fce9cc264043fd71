/** A JWT that identifies the subject of the token (RFC 7523 §2.1). */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A token for another (RFC 8693 §2.1). */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** An identity assertion that an authorization server of another domain takes. */
export const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

/** An ID token of OpenID Connect (RFC 8693 §3). */
export const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
