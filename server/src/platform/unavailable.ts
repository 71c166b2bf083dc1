/** Something that the service needs cannot be reached at the moment. Worth trying again; answered as 503. */
export abstract class Unavailable extends Error {}
