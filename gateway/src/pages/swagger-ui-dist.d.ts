declare module 'swagger-ui-dist/absolute-path.js' {
  /** The folder of the viewer's files. */
  function swaggerUiFolder(): string;
  export = swaggerUiFolder;
}
