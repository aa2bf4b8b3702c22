// The one file at run time that holds the library: every entry point takes from it what it shows.
export * from './composition';
export * from './inference';
