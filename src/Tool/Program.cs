using BufferedMessages.Tool;

return await Inspector.RunAsync(args, ToolConsole.OfProcess(), Interruption.Listen()).ConfigureAwait(false);
