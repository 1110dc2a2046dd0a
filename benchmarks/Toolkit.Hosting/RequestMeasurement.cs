using System.Diagnostics;
using BufferedMessages.Hosting;
using BufferedMessages.Running;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BufferedMessages.HostingBenchmarks;

/// <summary>Requests to a responder in another process, over a bounded queue in shared memory.</summary>
internal static class RequestMeasurement
{
    /// <summary>The argument with which the program is the responder.</summary>
    public const string ResponderPart = "respond";

    private const string Responder = "answers";
    private const int Warmup = 5_000;
    private const int OneByOne = 20_000;
    private const int ManyAtATime = 100_000;
    private const int Deaths = 11;

    public static async Task RunAsync(TextWriter output)
    {
        var name = $"requests-{Guid.NewGuid():N}";
        var child = Start(name);
        try
        {
            using var host = Build(name, static queue => queue.AddRequestClient<Question, AnswerBufferedMessage>(Responder, static client => client.Timeout = TimeSpan.FromMinutes(1)));
            await host.StartAsync();
            var client = host.Services.GetRequiredService<RequestClient<Question, AnswerBufferedMessage>>();
            await AskAsync(client, Warmup, 1);

            var bytes = GC.GetTotalAllocatedBytes(precise: true);
            var times = await AskAsync(client, OneByOne, 1);
            bytes = GC.GetTotalAllocatedBytes(precise: true) - bytes;
            await output.WriteLineAsync(FormattableString.Invariant(
                $"one by one: p50 {Quantile(times, 0.5):F1} us, p99 {Quantile(times, 0.99):F1} us, {1e6 / times.Average():F0} per second, {bytes / OneByOne} B per request in the client"));
            foreach (var inFlight in new[] { 16, 256 })
            {
                await AskAsync(client, Warmup, inFlight);
                var start = Stopwatch.GetTimestamp();
                await AskAsync(client, ManyAtATime, inFlight);
                await output.WriteLineAsync(FormattableString.Invariant($"{inFlight} at a time: {ManyAtATime / Stopwatch.GetElapsedTime(start).TotalSeconds:F0} per second"));
            }

            var deaths = new List<double>();
            for (var i = 0; i < Deaths; i++)
            {
                var lost = client.SendAsync(new Question { Id = -1 }, static answer => answer.Id, cancellationToken: RunnerCommand.Stopping);
                await Task.Delay(100);
                var start = Stopwatch.GetTimestamp();
                child.Kill();
                try
                {
                    await lost;
                }
                catch (ResponderLostException)
                {
                    deaths.Add(Stopwatch.GetElapsedTime(start).TotalMilliseconds);
                }

                await child.WaitForExitAsync();
                var next = Start(name);
                child.Dispose();
                child = next;
            }

            await output.WriteLineAsync(FormattableString.Invariant($"kill -9 of the responder: the client knows after {Quantile(deaths, 0.5):F0} ms (median of {deaths.Count}), {deaths.Max():F0} ms at most"));
        }
        finally
        {
            child.Kill();
            await child.WaitForExitAsync();
            child.Dispose();
            Directory.Delete(MessageQueue.GetSharedPath(name), recursive: true);
        }
    }

    /// <summary>Answers until the process is killed, or the one that measures has ended and closed the pipe between them.</summary>
    public static async Task RespondAsync(string name)
    {
        using var host = Build(name, static queue => queue.AddResponder<QuestionBufferedMessage, Answer, Answers>(Responder));
        await host.StartAsync();
        Console.WriteLine("ready");
        await Console.In.ReadToEndAsync();
    }

    private static async Task<List<double>> AskAsync(RequestClient<Question, AnswerBufferedMessage> client, int requests, int inFlight)
    {
        var times = new List<double>(inFlight == 1 ? requests : 0);
        var next = 0;
        async Task AskInTurnAsync()
        {
            while (Interlocked.Increment(ref next) is var id && id <= requests)
            {
                var start = Stopwatch.GetTimestamp();
                if (await client.SendAsync(new Question { Id = id, Text = "please" }, static answer => answer.Id, cancellationToken: RunnerCommand.Stopping) != id)
                {
                    throw new InvalidOperationException("A request got the reply of another one.");
                }

                if (inFlight == 1)
                {
                    times.Add(Stopwatch.GetElapsedTime(start).TotalMicroseconds);
                }
            }
        }

        await Task.WhenAll(Enumerable.Range(0, inFlight).Select(_ => Task.Run(AskInTurnAsync)));
        return times;
    }

    private static double Quantile(List<double> values, double quantile) => values.Order().ElementAt((int)(quantile * (values.Count - 1)));

    private static IHost Build(string name, Action<MessageQueueBuilder> add)
    {
        var builder = Host.CreateEmptyApplicationBuilder(settings: null);
        add(builder.Services.AddMessageQueue("questions", queue => queue.SharedName = name));
        return builder.Build();
    }

    private static Process Start(string name)
    {
        var host = Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet";
        var child = Process.Start(new ProcessStartInfo(host, ["exec", typeof(RequestMeasurement).Assembly.Location, ResponderPart, name]) { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true })!;
        return child.StandardOutput.ReadLine() == "ready" ? child : throw new InvalidOperationException("The responder did not start.");
    }
}
