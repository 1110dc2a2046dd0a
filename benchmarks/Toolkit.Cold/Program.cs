using BufferedMessages.ColdBenchmarks;

// Nothing may come before this: it is the program that the others are compared with.
return args is ["empty"] ? 0 : Commands.Run(args);
