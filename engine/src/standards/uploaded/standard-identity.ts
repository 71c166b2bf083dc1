/** What a file says about itself; the caller's own words come first. */
export interface StandardIdentity {
  readonly designation: string;
  readonly title: string;
  readonly edition: string;
}
