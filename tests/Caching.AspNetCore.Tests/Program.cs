using BufferedMessages.Caching.Tests;

// A server until its input ends. It prints its address.
if (args is not [PageServer.Part, var directory])
{
    Console.Error.WriteLine("This program is started by its tests: dotnet test tests/Caching.AspNetCore.Tests");
    return 2;
}

await using var server = await PageServer.StartAsync(settings =>
{
    settings.Directory = directory;
    settings.Shared = true;
});
Console.WriteLine(server.Address);
Console.ReadLine();
return 0;
