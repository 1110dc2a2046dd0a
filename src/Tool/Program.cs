using BufferedMessages.Tool;

return await Inspector.RunAsync(args, ToolConsole.OfProcess(), CancellationToken.None).ConfigureAwait(false);
