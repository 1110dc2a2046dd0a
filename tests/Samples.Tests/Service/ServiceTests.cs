using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Service;

public sealed class ServiceTests : IDisposable
{
    private const int AttemptsOfAMessageThatKills = 5;

    private readonly TemporaryDirectory _data = new();
    private readonly HttpClient _client = new();

    public void Dispose()
    {
        _client.Dispose();
        _data.Dispose();
    }

    [Fact]
    public async Task An_order_is_handled_in_another_process_in_a_span_that_is_linked_to_the_request()
    {
        using var api = await StartApiAsync();
        using var worker = StartWorker();

        using var answer = await OrderAsync("Lamp");

        Assert.Equal(HttpStatusCode.Accepted, answer.StatusCode);
        await worker.HearAsync("Sent 2 x Lamp");
        var trace = await worker.HearAsync("linked to trace ");
        await api.HearAsync($"trace {trace}");
        Assert.Equal("Healthy", (await HealthAsync()).GetString());
    }

    [Fact]
    public async Task An_order_that_fails_is_a_dead_letter_that_can_be_requeued_and_dropped()
    {
        using var api = await StartApiAsync();
        using var worker = StartWorker();

        (await OrderAsync("Anvil")).Dispose();
        await worker.HearAsync("went to the dead letters");

        var letter = Assert.Single((await DeadLettersAsync()).EnumerateArray());
        Assert.Equal("Anvils are out of stock.", letter.GetProperty("reason").GetString());
        Assert.Equal(3, letter.GetProperty("attempts").GetInt32());
        Assert.Equal("Degraded", (await HealthAsync()).GetString());
        await SendAsync(HttpMethod.Post, $"/dead/{letter.GetProperty("position")}/requeue", HttpStatusCode.NoContent);
        await SendAsync(HttpMethod.Post, $"/dead/{letter.GetProperty("position")}/requeue", HttpStatusCode.NotFound);
        using var limit = new CancellationTokenSource(TimeSpan.FromSeconds(90));
        JsonElement again;
        while ((again = await DeadLettersAsync()).GetArrayLength() == 0)
        {
            await Task.Delay(10, limit.Token);
        }

        await SendAsync(HttpMethod.Delete, $"/dead/{Assert.Single(again.EnumerateArray()).GetProperty("position")}", HttpStatusCode.NoContent);
        Assert.Empty((await DeadLettersAsync()).EnumerateArray());
    }

    [Fact]
    public async Task An_order_that_kills_its_worker_is_a_dead_letter_after_five_deaths_and_the_next_ones_are_handled()
    {
        using var api = await StartApiAsync();
        (await OrderAsync("Dynamite")).Dispose();
        for (var i = 0; i < AttemptsOfAMessageThatKills; i++)
        {
            using var dying = StartWorker("--concurrency", "1");
            Assert.NotEqual(0, await dying.WaitAsync());
        }

        using var worker = StartWorker("--concurrency", "1");
        await worker.HearAsync("Its process died");
        (await OrderAsync("Bulb")).Dispose();

        await worker.HearAsync("Sent 2 x Bulb");
        Assert.Equal(AttemptsOfAMessageThatKills, Assert.Single((await DeadLettersAsync()).EnumerateArray()).GetProperty("attempts").GetInt32());
    }

    [Fact]
    public async Task Metrics_are_printed_on_request()
    {
        using var api = await StartApiAsync();
        using var worker = StartWorker("--metrics");
        (await OrderAsync("Lamp")).Dispose();

        await worker.HearAsync("metric messaging.process.duration 1 values");
    }

    [Fact]
    public async Task A_switch_does_not_take_the_option_after_it_for_its_value()
    {
        using var worker = new ServiceProcess("worker", "--metrics", "--data", _data.Path);

        Assert.StartsWith(_data.Path, await worker.HearAsync("Queue orders is open in "), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("worker", "--concurrency", "0")]
    [InlineData("api", "--urls", "nonsense")]
    public async Task A_value_that_cannot_be_is_a_mistake(string command, string option, string value)
    {
        var result = await SampleProcess.RunAsync("06-Service", command, option, value, "--data", _data.Path);

        Assert.Equal(2, result.ExitCode);
        Assert.DoesNotContain("Unhandled exception", result.Errors, StringComparison.Ordinal);
        Assert.Contains(value, result.Errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("api")]
    [InlineData("worker")]
    public async Task A_queue_of_an_earlier_message_type_is_said_with_both_lines(string command)
    {
        using (var queue = MessageQueue.Open(Path.Combine(_data.Path, "orders")))
        {
            queue.OpenProducer(MessageSchema.Parse("message Order\n0 i32 Id\n")).Dispose();
        }

        var result = await SampleProcess.RunAsync("06-Service", command, "--data", _data.Path);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("0 i32 Id", result.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("Unhandled exception", result.Errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("api")]
    [InlineData("worker")]
    public async Task A_queue_of_a_later_version_is_said_without_a_stack_trace(string command)
    {
        MessageQueue.Open(Path.Combine(_data.Path, "orders")).Dispose();
        var control = Path.Combine(_data.Path, "orders", "control");
        var bytes = await File.ReadAllBytesAsync(control);
        bytes[4]++;
        await File.WriteAllBytesAsync(control, bytes);

        var result = await SampleProcess.RunAsync("06-Service", command, "--data", _data.Path);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("Update the BufferedMessages package", result.Errors, StringComparison.Ordinal);
        Assert.DoesNotContain("Unhandled exception", result.Errors, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, "--help")]
    [InlineData(2)]
    [InlineData(2, "waiter")]
    public async Task Help_says_how_to_start_it(int exitCode, params string[] arguments)
    {
        var result = await SampleProcess.RunAsync("06-Service", arguments);

        Assert.Equal(exitCode, result.ExitCode);
        Assert.Contains(exitCode == 0 ? "-- worker" : "--help", exitCode == 0 ? result.Output : result.Errors, StringComparison.Ordinal);
    }

    private async Task<ServiceProcess> StartApiAsync()
    {
        var api = new ServiceProcess("api", "--data", _data.Path, "--urls", "http://127.0.0.1:0");
        _client.BaseAddress = new Uri(await api.HearAsync("Now listening on: "));
        return api;
    }

    private ServiceProcess StartWorker(params string[] arguments) => new(["worker", "--data", _data.Path, .. arguments]);

    private Task<HttpResponseMessage> OrderAsync(string article) => _client.PostAsJsonAsync("/orders", new { article, quantity = 2 });

    private async Task<JsonElement> DeadLettersAsync() => await _client.GetFromJsonAsync<JsonElement>("/dead");

    private async Task<JsonElement> HealthAsync() => (await _client.GetFromJsonAsync<JsonElement>("/health")).GetProperty("status");

    private async Task SendAsync(HttpMethod method, string path, HttpStatusCode expected)
    {
        using var request = new HttpRequestMessage(method, path);
        using var answer = await _client.SendAsync(request);
        Assert.Equal(expected, answer.StatusCode);
    }
}
