using System.Text.Json;
using Shop;

namespace BufferedMessages.Tool.Tests;

public class MessageFileTests
{
    [Fact]
    public async Task A_message_file_that_breaks_its_schema_ends_with_1_and_its_member_and_byte_are_named()
    {
        using var folder = new TemporaryFolder();
        var message = new Order(7, "a note of some length", []).ToMessageArray();
        var text = message.AsSpan().IndexOf("a note"u8);
        File.WriteAllText(folder.PathOf("order.schema"), QueueOfOrders.Schema<Order>().Text);
        File.WriteAllBytes(folder.PathOf("sound.message"), message);
        message[text] = 0xFF;
        File.WriteAllBytes(folder.PathOf("broken.message"), message);

        var sound = await ToolRun.InProcessAsync("verify", folder.PathOf("sound.message"), "--schema", folder.PathOf("order.schema"));
        var broken = await ToolRun.InProcessAsync("verify", folder.PathOf("broken.message"), "--schema", folder.PathOf("order.schema"));
        var json = await ToolRun.InProcessAsync("verify", folder.PathOf("broken.message"), "--schema", folder.PathOf("order.schema"), "--json");

        Assert.Equal((0, ""), (sound.Code, sound.Errors));
        Assert.Equal((1, $"damaged broken.message Note, byte {text}: a string is not UTF-8\n", ""), (broken.Code, broken.Output, broken.Errors));
        var check = JsonDocument.Parse(json.Output).RootElement;
        Assert.Equal((1, "damaged"), (json.Code, check.GetProperty("result").GetString()));
        Assert.Equal(("Note", text), (check.GetProperty("member").GetString(), check.GetProperty("position").GetInt32()));
    }
}
