// The one file at run time that has the library in it: every entry point takes from it what it shows.
export * from './composition';
export * from './inference';
