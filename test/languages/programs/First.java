import io.github.cdk8saso.Region;
import io.github.cdk8saso.resources.ResourceGroup;
import io.github.cdk8saso.storage.Sku;
import io.github.cdk8saso.storage.SkuName;
import io.github.cdk8saso.storage.StorageAccount;
import io.github.cdk8saso.storage.StorageAccountKind;
import java.util.List;
import java.util.Map;
import org.cdk8s.App;
import org.cdk8s.Chart;
import org.cdk8s.ChartProps;
import org.cdk8s.plus27.ContainerProps;
import org.cdk8s.plus27.Deployment;

public final class First {
    public static void main(String[] arguments) {
        App app = new App();
        Chart chart = new Chart(app, "orders", ChartProps.builder().namespace("orders").build());
        ResourceGroup group = ResourceGroup.Builder.create(chart, "group")
            .location(Region.UK_SOUTH)
            .tags(Map.of("team", "orders"))
            .build();
        StorageAccount account = StorageAccount.Builder.create(chart, "account")
            .owner(group)
            .azureName("orders2f8f11")
            .location(Region.UK_SOUTH)
            .kind(StorageAccountKind.STORAGE_V2)
            .sku(Sku.builder().name(SkuName.STANDARD_LRS).build())
            .allowBlobPublicAccess(false)
            .build();
        ContainerProps container = ContainerProps.builder()
            .image("registry.example/api:1")
            .envVariables(Map.of("BLOBS", account.getOutputs().getBlobEndpoint().getEnvValue()))
            .build();
        Deployment.Builder.create(chart, "api").containers(List.of(container)).build();
        app.synth();
    }
}
